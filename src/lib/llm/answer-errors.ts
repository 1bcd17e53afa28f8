/** The server answered, but not with what was asked for. Holds the body as it came, whatever its form. */
export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';

  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly bodyText: string,
  ) {
    super(`status ${status}`);
  }
}

/** The server pointed elsewhere. Never followed: the key would go there too. */
export class RedirectAnswer extends Error {
  override readonly name = 'RedirectAnswer';

  constructor(readonly location: string | null) {
    super('redirected');
  }
}
