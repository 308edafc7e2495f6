"""The parts of the decoding child: time, pictures, sound, and what it says over its pipe."""
