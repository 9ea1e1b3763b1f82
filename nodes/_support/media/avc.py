"""Codes a few pictures of H.264 so that they stand in one stream beside others that are copied. Must not know files.

The parameter sets of the new pictures have numbers of their own and lie beside the copied ones at the head of the
stream (ISO/IEC 14496-15, section 5.3.3.1), so each picture is decoded by the sets that it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

_PROFILES = {66: "baseline", 77: "main", 100: "high"}
_PIXELS = ("yuv420p", "yuvj420p")
_IDR = 5
_PARTITIONS = range(1, 6)  # kinds of units that hold parts of a picture
_COLOURS = ("colorspace", "color_primaries", "color_trc", "color_range")


def is_independent(packet: Any, stream: Any) -> bool:
    """Whether this is a picture of an H.264 stream from which on none needs one before it (IDR)."""
    head = stream.codec_context.extradata or b""
    if stream.codec_context.name != "h264" or len(head) < 7 or head[0] != 1:
        return False
    data, size, at = bytes(packet), head[4] % 4 + 1, 0
    while at + size < len(data):
        kind = data[at + size] % 32
        if kind in _PARTITIONS:
            return kind == _IDR
        at += size + int.from_bytes(data[at : at + size], "big")
    return False


class Coder:
    """Codes pictures like those of an H.264 stream, `like`, whose packets go into the same stream.

    `head` is the AVCDecoderConfigurationRecord for both. Raises ValueError for a stream of another kind than all
    players show: 8 bits, colours halved both ways, whole pictures.
    """

    def __init__(self, like: Any, options: dict[str, str]) -> None:
        own = like.codec_context
        given = own.extradata or b""
        if (
            own.name != "h264"
            or len(given) < 7
            or given[0] != 1
            or own.pix_fmt not in _PIXELS
            or given[1] not in _PROFILES
        ):
            raise ValueError("pictures of this kind are not coded like it")
        self._like, self._size = like, given[4] % 4 + 1
        sets, pictures, rest = _sets(given)
        taken = {_number(unit, 4) for unit in sets} | {_number(unit, 1) for unit in pictures}
        number = next(n for n in range(1, 32) if n not in taken)
        self._options = {**options, "profile": _PROFILES[given[1]], "x264-params": f"sps-id={number}"}
        self._made = _units(self._opened().extradata)
        new = [[unit for unit in self._made if unit[0] % 32 == kind] for kind in (7, 8)]
        level = max(given[3], *(unit[3] for unit in new[0]))
        units = _listed([*sets, *new[0]], 0xE0) + _listed([*pictures, *new[1]])
        self.head = given[:3] + bytes([level, given[4]]) + units + rest

    def packets(self, pictures: Iterator[Any], shift: int, lead: int, until: int) -> Iterator[Any]:
        """The packets of decoded frames, the first from tick 0 of its stream plus `shift` on, each decoded `lead` ticks
        before it is shown, the last shown until the tick `until`. Raises ValueError for frames of other forms."""
        import av

        context, last = self._opened(), None
        if _units(context.extradata) != self._made:
            raise ValueError("it is coded otherwise than before")

        def packed(coded: Any) -> Any:
            packet: Any = av.Packet(b"".join(len(u).to_bytes(self._size, "big") + u for u in _units(bytes(coded))))
            packet.time_base, packet.is_keyframe = self._like.time_base, coded.is_keyframe
            packet.pts, packet.dts, packet.duration = coded.pts, coded.pts - lead, coded.duration or 0
            return packet

        for frame in pictures:
            if (
                frame.pts is None
                or frame.interlaced_frame
                or (frame.width, frame.height) != (context.width, context.height)
            ):
                raise ValueError("a picture of another form")
            frame.pict_type, frame.pts = 0, max(frame.pts - shift, 0)
            if last is not None:
                last.duration = frame.pts - last.pts
                yield from map(packed, context.encode(last))
            last = frame
        if last is not None:
            last.duration = max(until - last.pts, 1)
            yield from map(packed, context.encode(last))
        yield from map(packed, context.encode(None))

    def _opened(self) -> Any:
        import av
        from av.codec.context import Flags

        own = self._like.codec_context
        context: Any = av.CodecContext.create("libx264", "w")
        context.width, context.height, context.pix_fmt = own.width, own.height, own.pix_fmt
        context.time_base = self._like.time_base
        context.framerate = self._like.average_rate or Fraction(25)
        context.sample_aspect_ratio = self._like.sample_aspect_ratio or Fraction(1)
        for name in _COLOURS:
            setattr(context, name, getattr(own, name))
        context.flags |= Flags.global_header | Flags.frame_duration
        context.thread_type, context.gop_size = "FRAME", 250
        context.options = self._options
        context.open()
        return context


def _sets(head: bytes) -> tuple[list[bytes], list[bytes], bytes]:
    """Sequence and picture parameter sets of an AVCDecoderConfigurationRecord, and what follows them."""
    found: list[list[bytes]] = []
    at = 5
    for mask in (0x1F, 0xFF):
        count, at, units = head[at] & mask, at + 1, []
        for _ in range(count):
            size = int.from_bytes(head[at : at + 2], "big")
            units.append(head[at + 2 : at + 2 + size])
            at += 2 + size
        found.append(units)
    return found[0], found[1], head[at:]


def _listed(units: list[bytes], mark: int = 0) -> bytes:
    return bytes([mark | len(units)]) + b"".join(len(unit).to_bytes(2, "big") + unit for unit in units)


def _units(stream: bytes) -> list[bytes]:
    """The units of a stream with start codes (H.264, annex B)."""
    return [unit.rstrip(b"\0") for unit in stream.split(b"\0\0\1") if unit.rstrip(b"\0")]


def _number(unit: bytes, at: int) -> int:
    """The number of a parameter set: the first exponential Golomb code from that byte on."""
    bits = "".join(f"{byte:08b}" for byte in unit[at : at + 4])
    zeros = len(bits) - len(bits.lstrip("0"))
    return int(bits[zeros : 2 * zeros + 1] or "1", 2) - 1
