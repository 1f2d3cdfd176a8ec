// A page of a PDF as a PNG, drawn by poppler's pdftoppm where the system has it. Where no process can be started
// (pdf_page_none.cpp), a sentence says so.
#pragma once

#include <filesystem>
#include <string>

namespace tilewalk {

// `fault` goes on behind the file's name: "has no page 7, or is no PDF"; then `png` is empty. Waits for the page, 10 s
// at most.
struct PdfPage {
  std::string png, fault;
};
PdfPage draw_pdf_page(const std::filesystem::path& file, int page);

}  // namespace tilewalk
