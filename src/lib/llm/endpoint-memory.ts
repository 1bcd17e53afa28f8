import type { EndpointRow } from '../core/endpoint';
import type { EndpointLearned, RateLevels } from '../core/learned';
import type { ProfileStore } from '../core/ports';
import { TokenRatio } from './context/token-ratio';

type Profiles = Pick<ProfileStore, 'learned' | 'putLearned'>;

/** What is learned of one endpoint, kept over restarts. A write that fails is made good by the next. */
export class EndpointMemory {
  readonly #profiles: Profiles;
  readonly #about: Pick<EndpointRow, 'id' | 'baseUrl'>;
  readonly #ratios: Map<string, TokenRatio>;
  #levels: () => RateLevels | null;
  #isSaving = false;
  #isDue = false;

  private constructor(profiles: Profiles, { id, baseUrl }: EndpointRow, before: EndpointLearned | null) {
    this.#profiles = profiles;
    this.#about = { id, baseUrl };
    this.#levels = () => before?.rates ?? null;
    const ratios = Object.entries(before?.ratios ?? {});
    this.#ratios = new Map(ratios.map(([model, each]) => [model, new TokenRatio(each)]));
  }

  /** With what an earlier life learned of the same address. */
  static async open(profiles: Profiles, row: EndpointRow): Promise<EndpointMemory> {
    const kept = await profiles.learned(row.id);
    const before = kept.ok && kept.value?.baseUrl === row.baseUrl ? kept.value : null;
    return new EndpointMemory(profiles, row, before);
  }

  get levels(): RateLevels | null {
    return this.#levels();
  }

  /** Whose levels are kept from now on. */
  follow(rates: { state(): RateLevels }): void {
    this.#levels = () => rates.state();
  }

  ratioOf(model: string): TokenRatio {
    const ratio = this.#ratios.get(model) ?? new TokenRatio();
    this.#ratios.set(model, ratio);
    return ratio;
  }

  /** Something was learned. What is learned while a write is under way goes with the next. */
  readonly changed = (): void => {
    this.#isDue = true;
    if (!this.#isSaving) void this.#save();
  };

  async #save(): Promise<void> {
    this.#isSaving = true;
    while (this.#isDue) {
      this.#isDue = false;
      const ratios = Object.fromEntries([...this.#ratios].map(([model, { ratios: each }]) => [model, each]));
      await this.#profiles.putLearned({ ...this.#about, rates: this.#levels(), ratios });
    }
    this.#isSaving = false;
  }
}
