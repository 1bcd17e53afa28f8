/** Text of a file, ready to be asked about. */
export interface ExtractedText {
  readonly text: string;
  /** `txt`, `md`, `csv`, `html` …: how it was read. */
  readonly format: string;
  /** WHATWG name of the encoding it was decoded with. */
  readonly encoding: string;
  /** True when no mark and no validity told the encoding: it is the likeliest one. */
  readonly guessedEncoding: boolean;
}

/** A piece of a text. Pieces in order, joined, are the text: nothing is cut off. */
export interface TextPart {
  readonly index: number;
  readonly text: string;
  readonly tokens: number;
}
