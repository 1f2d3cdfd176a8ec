// Where no process can be started.
#include "app/session/pdf_page.h"

namespace tilewalk {

PdfPage draw_pdf_page(const std::filesystem::path&, int) {
  return {{}, "is a PDF, whose pages cannot be drawn here; export the page as PNG"};
}

}  // namespace tilewalk
