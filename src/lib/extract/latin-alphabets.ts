import { encodingName, strictText } from './strict-text';

/** Letters beyond ASCII, per language, by the code page it is written in. */
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    'àâæçéèêëîïôœùûüÿ',
    'äöüßéà',
    'áéíñóúüç',
    'àáâãçéêíóôõúü',
    'àèéìíîòóùú',
    'åäöéüà',
    'æøåéèóòôäöü',
    'áæéíðóöúýþ',
    'áéëèïíóöüú',
  ],
  'windows-1250': ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ąćęłńóśźż', 'ăâîșțşţ', 'čćđšž'],
  'windows-1254': ['âçğıİîöşûüi̇'],
};

/** Latin code pages differ in the same few bytes, and letter statistics often take French for Czech. */
const PAGES: Readonly<Record<string, string>> = {
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250',
  'iso-8859-2': 'windows-1250',
  'windows-1254': 'windows-1254',
};

/** Latin encodings under which all letters belong to one language come first; others keep their place. */
export function orderLatin(encodings: readonly string[], sample: Uint8Array): readonly string[] {
  const [first] = encodings;
  if (first === undefined || PAGES[first] === undefined) return encodings;
  const fitting = encodings.filter((encoding) => isOneLanguage(encoding, sample));
  return [...fitting, ...encodings.filter((encoding) => !fitting.includes(encoding))];
}

function isOneLanguage(encoding: string, sample: Uint8Array): boolean {
  const alphabets = ALPHABETS[PAGES[encodingName(encoding) ?? ''] ?? ''];
  const text = alphabets === undefined ? null : strictText(sample, encoding);
  if (alphabets === undefined || text === null) return false;
  const letters = new Set(text.toLowerCase().match(/(?![a-z])\p{L}/gu) ?? []);
  return alphabets.some((alphabet) => [...letters].every((letter) => alphabet.includes(letter)));
}
