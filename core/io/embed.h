// Puts a file into the read-only data of the program, between the symbols `tilewalk_<name>` and `tilewalk_<name>_end`.
// The text is assembler, because a compiler takes minutes and gigabytes for what the assembler copies at once.
#pragma once

// clang-format off
#define TILEWALK_EMBED(name, path)     \
  asm(".pushsection .rodata\n"         \
      ".balign 16\n"                   \
      ".global tilewalk_" name "\n"    \
      "tilewalk_" name ":\n"           \
      ".incbin \"" path "\"\n"         \
      ".global tilewalk_" name "_end\n"\
      "tilewalk_" name "_end:\n"       \
      ".byte 0\n"                      \
      ".popsection\n")
// clang-format on
