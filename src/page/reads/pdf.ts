// This function is serialized into the page, so it uses no closures and no imports.

export interface PdfData {
  /** In base64. */
  readonly data?: string;
  readonly problem?: string;
}

/** The PDF file that the document shows. The request is one of the page, so the rules about hosts hold for it. */
export async function readPdf(mostBytes: number): Promise<PdfData> {
  try {
    const response = await fetch(location.href, { cache: 'force-cache', credentials: 'include' });
    if (!response.ok) return { problem: `the server answers with status ${response.status} now` };
    const blob = await response.blob();
    if (blob.size > mostBytes) return { problem: `it is larger than ${mostBytes} bytes` };
    const url = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
      reader.addEventListener('error', () => reject(new Error('it could not be read')));
      reader.readAsDataURL(blob);
    });
    return { data: url.slice(url.indexOf(',') + 1) };
  } catch (error) {
    return { problem: `the page could not load it again (${String(error)})` };
  }
}
