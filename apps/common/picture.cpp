// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <span>
#include <stdexcept>

#if APPS_HAVE_PNG
#include <png.h>
#endif

namespace apps {
namespace {

using Colour = std::array<double, 3>;

/// Viridis of matplotlib (S. van der Walt, N. Smith, 2015), as the polynomial of degree 6 that M. Zucker
/// fitted to it (2019); `t` from 0 to 1.
Colour viridis(double t) {
  constexpr Colour c[] = {{0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
                          {0.1050930431085774, 1.404613529898575, 1.384590162594685},
                          {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
                          {-4.634230498983486, -5.799100973351585, -19.33244095627987},
                          {6.228269936347081, 14.17993336680509, 56.69055260068105},
                          {4.776384997670288, -13.74514537774601, -65.35303263337234},
                          {-5.435455855934631, 4.645852612178535, 26.3124352495832}};
  Colour colour{};
  for (std::size_t i = std::size(c); i-- > 0;)
    for (std::size_t k = 0; k < 3; ++k) colour[k] = colour[k] * t + c[i][k];
  return colour;
}

/// Returns three bytes for each pixel, the highest row first.
std::vector<unsigned char> pixels_of(const Field& field) {
  double least = INFINITY, most = -INFINITY;
  for (const double value : field.values)
    if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  std::vector<unsigned char> pixels;
  pixels.reserve(3 * field.values.size());
  const auto width = static_cast<std::size_t>(field.width);
  for (std::size_t row = static_cast<std::size_t>(field.height); row-- > 0;)
    for (const double value : std::span(field.values).subspan(row * width, width)) {
      Colour colour{0.5, 0.5, 0.5};
      if (std::isfinite(value)) colour = viridis(most > least ? (value - least) / (most - least) : 0);
      for (const double part : colour)
        pixels.push_back(static_cast<unsigned char>(std::lround(255 * std::clamp(part, 0.0, 1.0))));
    }
  return pixels;
}

void write_ppm(const std::string& path, const Field& field) {
  const std::vector<unsigned char> pixels = pixels_of(field);
  std::ofstream out(path, std::ios::binary);
  out << "P6\n" << field.width << ' ' << field.height << "\n255\n";
  out.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
  out.close();
  if (!out) throw std::runtime_error("the picture cannot be written to " + path);
}

#if APPS_HAVE_PNG
void write_png(const std::string& path, const Field& field) {
  const std::vector<unsigned char> pixels = pixels_of(field);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(field.width);
  image.height = static_cast<png_uint_32>(field.height);
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr))
    throw std::runtime_error("the picture cannot be written to " + path + ": " + image.message);
}
#else
void write_png(const std::string& path, const Field&) {
  throw std::runtime_error("the picture cannot be written to " + path +
                           ": libpng was missing when this was built; use a name that ends with .ppm");
}
#endif

}  // namespace

bool is_picture(const std::string& path) { return path.ends_with(".ppm") || path.ends_with(".png"); }

void write_picture(const std::string& path, const Field& field) {
  (path.ends_with(".png") ? write_png : write_ppm)(path, field);
}

}  // namespace apps
