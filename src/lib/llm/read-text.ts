/** An error page needs no more. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** The beginning of a body as text; what is beyond the limit is never received. Rejects as the body does. */
export async function readText(response: Response, maxBytes = MAX_ERROR_BODY_BYTES): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let seenBytes = 0;
  try {
    while (seenBytes < maxBytes) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      seenBytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
