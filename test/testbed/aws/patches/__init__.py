"""What the emulator lacks, one concept a module."""
