const mostPages = 2000;

/** The text of each page of a PDF. The library is loaded when it is first needed. */
export async function pdfPages(data: Uint8Array): Promise<readonly string[]> {
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(data, { verbosity: 0 });
  try {
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(document.numPages, mostPages); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const texts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
      pages.push(texts.join('').trim());
      page.cleanup();
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}
