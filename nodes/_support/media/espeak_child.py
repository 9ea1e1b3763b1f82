"""A program of its own that speaks stdin to stdout with the library of the wheel `espeakng-loader`.

Usage: espeak_child.py VOICE WORDS_PER_MINUTE PITCH < text > sound.wav. It must not be imported: the library is GPL
and stays in this process.
"""

from __future__ import annotations

import ctypes
import struct
import sys

_SYNCHRONOUS = 2  # AUDIO_OUTPUT_SYNCHRONOUS of espeak-ng's speak_lib.h
_RATE, _PITCH = 1, 3  # espeakRATE, espeakPITCH
_UTF8 = 1  # espeakCHARS_UTF8
_POSITION_IN_CHARACTERS = 1

_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


def main(voice: str, speed: int, pitch: int) -> int:
    """Speaks all of stdin. Returns the exit code; what went wrong is on stderr."""
    import espeakng_loader  # pyright: ignore[reportMissingImports]

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    rate = library.espeak_Initialize(_SYNCHRONOUS, 200, espeakng_loader.get_data_path().encode(), 0)
    if rate <= 0:
        print("the library does not start", file=sys.stderr)
        return 1
    if library.espeak_SetVoiceByName(voice.encode()):
        print(f"there is no voice {voice}", file=sys.stderr)
        return 1
    library.espeak_SetParameter(_RATE, speed, 0)
    library.espeak_SetParameter(_PITCH, pitch, 0)
    out = sys.stdout.buffer
    out.write(_header(rate))

    def take(samples, count: int, _events) -> int:
        if samples and count > 0:
            out.write(ctypes.string_at(samples, 2 * count))
        return 0

    callback = _Callback(take)
    library.espeak_SetSynthCallback(callback)
    text = sys.stdin.buffer.read() + b"\0"
    failed = library.espeak_Synth(
        text, ctypes.c_size_t(len(text)), 0, _POSITION_IN_CHARACTERS, 0, _UTF8, None, ctypes.c_void_p()
    )
    library.espeak_Synchronize()
    out.flush()
    return 1 if failed else 0


def _header(rate: int) -> bytes:
    """A WAV header, 16 bit mono, for a length that is not known yet."""
    form = struct.pack("<IHHIIHH", 16, 1, 1, rate, 2 * rate, 2, 16)
    return b"RIFF" + struct.pack("<I", 0x7FFFFFFF) + b"WAVEfmt " + form + b"data" + struct.pack("<I", 0x7FFFFFDB)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
