#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the events of a trace. Written from docs/trace-format.md alone, to compare its reading with Skein's.
usage: read_trace.py FILE"""
import ctypes
import ctypes.util
import struct
import sys

zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
zstd.ZSTD_decompress.restype = ctypes.c_size_t


def decompress(frame):
    if not frame:
        return b""
    size = zstd.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(len(frame)))
    out = ctypes.create_string_buffer(max(size, 1))
    read = zstd.ZSTD_decompress(out, ctypes.c_size_t(size), frame, ctypes.c_size_t(len(frame)))
    assert read == size, "damaged frame"
    return out.raw[:size]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        assert self.at + n <= len(self.data), "too short"
        self.at += n
        return self.data[self.at - n : self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        first = self.data[self.at]
        if first == 0:
            return int.from_bytes(self.take(9)[1:], "little")
        n = 1
        while not first >> (n - 1) & 1:
            n += 1
        return int.from_bytes(self.take(n), "little") >> n

    def signed(self):
        return unsigned_to_signed(self.number())

    def text(self):
        return self.take(self.number()).decode()


def unsigned_to_signed(x):
    return x // 2 if x % 2 == 0 else -(x + 1) // 2


class Bits:
    def __init__(self, data):
        self.bits, self.left = int.from_bytes(data, "little"), 8 * len(data)

    def take(self, n):
        assert n <= self.left, "too little noise"
        value = self.bits & ((1 << n) - 1)
        self.bits >>= n
        self.left -= n
        return value


def value_of(symbol, bits):
    if symbol < 8:
        return symbol
    e = (symbol - 8) // 4 + 4
    return (4 | (symbol - 8) % 4) << (e - 3) | bits.take(e - 3)


def check_of(header):
    value = 0x811C9DC5
    for byte in header:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def read_shape(text):
    kind, what, flags, counters = text.take(4)
    shape = dict(kind=kind, what=what, flags=flags, counters=counters, communicator=text.number(),
                 partner=text.signed(), tag=text.signed(), bytes=text.number())
    shape["list"] = [text.number() for _ in range(text.number())]
    return shape


def columns_of(shape):
    names = [name for flag, name in ((2, "burst"), (4, "call"), (8, "bytes"), (16, "serial")) if shape["flags"] & flag]
    return names + list(range(shape["counters"]))


def read_piece(structure, symbols, noise, shapes):
    """Returns the events of a piece; adds its new shapes."""
    text, bits, next_symbol = Reader(structure), Bits(noise), iter(symbols)
    known = text.number()
    if known == 0:
        shapes.clear()
    assert known == len(shapes), "not the piece that follows"
    count = text.number()
    shapes.extend(read_shape(text) for _ in range(text.number()))
    order = []
    for _ in range(count):
        index = text.byte()
        order.append(index if index < 255 else 255 + text.number())
    events = [dict(shapes[index], burst=0, call=0, serial=0, counted={}) for index in order]
    for index, shape in enumerate(shapes):
        own = [event for event, of in zip(events, order) if of == index]
        for column in columns_of(shape) if own else ():
            form, previous = text.byte(), 0
            for event in own:
                value = value_of(next(next_symbol), bits)
                if form & 1:
                    value = (previous + unsigned_to_signed(value)) % 2**64
                previous = value
                value = (value << (form >> 1)) % 2**64
                if isinstance(column, int):
                    event["counted"][column] = unsigned_to_signed(value)
                else:
                    event[column] = value
    return events


def main():
    data = open(sys.argv[1], "rb").read()
    magic, version, zero = struct.unpack("<8sII", data[:16])
    assert magic == b"SKTRACE\n" and version in (1, 2) and zero == 0
    at, names, pieces, complete = 16, {}, {}, False
    while at < len(data):
        tag, kind, writer, of_object, text_bytes, noise_bytes, check = struct.unpack("<4sIQIIII", data[at : at + 32])
        assert tag == b"SKTC" and check == check_of(data[at : at + 28])
        at += 32
        text = Reader(decompress(data[at : at + text_bytes]))
        noise = Reader(decompress(data[at + text_bytes : at + text_bytes + noise_bytes]))
        at += text_bytes + noise_bytes
        if kind == 2:
            number = text.number()
            names[writer, number] = text.text()
        elif kind == 6:
            heads = [[text.number() for _ in range(5)] for _ in range(text.number())]
            structures = [text.take(head[2]) for head in heads]
            for head, structure in zip(heads, structures):
                pieces.setdefault(head[0], {})[head[1]] = (structure, text.take(head[3]), noise.take(head[4]), writer)
        elif kind == 7:
            complete = True
    print("complete" if complete else "cut short")
    for object_index in sorted(pieces):
        shapes = []
        for serial in range(len(pieces[object_index])):
            structure, symbols, noise, writer = pieces[object_index][serial]
            for event in read_piece(structure, symbols, noise, shapes):
                if event["kind"] in (9, 10):
                    event["list"] = [names[writer, event["list"][0]]]
                print(object_index, event["kind"], event["what"], event["flags"] & 1, event["communicator"],
                      event["partner"], event["tag"], event["bytes"], event["serial"], event["burst"], event["call"],
                      ",".join(map(str, event["list"])), ",".join(str(event["counted"][k]) for k in sorted(event["counted"])),
                      sep=" ")


main()
