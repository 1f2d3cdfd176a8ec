// Puts a file into the read-only data of the program, between the symbols `tilewalk_<name>` and `tilewalk_<name>_end`.
// The text is assembler, because a compiler takes minutes and gigabytes for what the assembler copies at once.
#pragma once

// clang-format off
#ifdef __wasm__  // a section for each file, and symbols with sizes: the last byte is the end's
#define TILEWALK_EMBED(name, path)                                      \
  asm(".section .rodata.tilewalk_" name ",\"\",@\n"                     \
      ".p2align 4\n"                                                    \
      ".global tilewalk_" name "\n"                                     \
      "tilewalk_" name ":\n"                                            \
      ".incbin \"" path "\"\n"                                          \
      ".global tilewalk_" name "_end\n"                                 \
      "tilewalk_" name "_end:\n"                                        \
      ".int8 0\n"                                                       \
      ".size tilewalk_" name ", tilewalk_" name "_end-tilewalk_" name "\n" \
      ".size tilewalk_" name "_end, 1\n"                                \
      ".text\n")
#else
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
#endif
// clang-format on
