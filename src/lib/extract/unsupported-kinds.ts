/** Formats known by name that this version cannot read, with the kind that people are told. */
const KINDS: Readonly<Record<string, string>> = {
  pdf: 'pdf',
  doc: 'doc',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  xls: 'xls',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xlsb: 'xlsx',
  ppt: 'ppt',
  pptx: 'pptx',
  pptm: 'pptx',
  odt: 'odt',
  ods: 'ods',
  odp: 'odp',
  rtf: 'rtf',
  epub: 'epub',
  mobi: 'ebook',
  azw3: 'ebook',
  pages: 'pages',
  numbers: 'numbers',
  keynote: 'keynote',
  wps: 'wps',
  et: 'wps',
  dps: 'wps',
  msg: 'msg',
  pst: 'pst',
  ...named(
    'image',
    'png jpg jpeg jfif gif webp bmp tif tiff ico icns heic heif avif jxl psd ai eps raw cr2 nef dng xcf',
  ),
  ...named('audio', 'mp3 wav m4a aac flac ogg oga opus wma aiff aif amr mid midi'),
  ...named('video', 'mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp m2ts'),
  ...named('archive', 'zip 7z rar tar gz tgz bz2 xz zst lz4 jar war apk ipa iso dmg cab deb rpm whl'),
  ...named('program', 'exe dll so dylib class pyc pyd wasm bin msi'),
  ...named('database', 'sqlite sqlite3 db mdb accdb parquet feather arrow'),
  ...named('font', 'ttf otf woff woff2 eot'),
};

export function unsupportedKind(extension: string): string | null {
  return Object.hasOwn(KINDS, extension) ? (KINDS[extension] ?? null) : null;
}

function named(kind: string, extensions: string): Readonly<Record<string, string>> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, kind]));
}
