import type { DoctorReport, EndpointDraft, ModelListing, ProbeReport } from '../bridge/agent-api';
import { repairBaseUrl } from '../core/base-url';
import {
  DEFAULT_BASE_URL,
  DEFAULT_MODEL,
  keyMayGoTo,
  settingsOf,
  type EndpointCheck,
  type EndpointRow,
} from '../core/endpoint';
import { ENDPOINT_PRESETS, type EndpointPreset } from '../core/endpoint-presets';
import type { Failure } from '../core/failure';
import type { EndpointId } from '../core/ids';
import { ok, type Result } from '../core/result';
import { agent } from './agent.svelte';
import { keepSessionKey } from './session-keys';
import { readSettings, typedSettings, type ReadSettings, type TypedSettings } from './typed-settings';

export type EndpointState = 'untested' | 'testing' | DoctorReport['state'];

/** The fields of one endpoint while they are being filled in, and what its server says to them. */
export class EndpointForm {
  readonly id: EndpointId | null;
  name = $state('');
  baseUrl = $state(DEFAULT_BASE_URL);
  model = $state(DEFAULT_MODEL);
  keepKey = $state<'stored' | 'session'>('stored');
  /** Whether the profile has a key already, which is never shown again. */
  readonly hasKey: boolean;
  /** The settings beyond those, as they are typed. */
  readonly typed: TypedSettings = $state(typedSettings());
  /** The profile as it is saved; null for a new one. */
  readonly row: EndpointRow | null;
  #key = $state<string | undefined>(undefined);
  #probes = $state.raw<readonly ProbeReport[]>([]);
  #report = $state.raw<DoctorReport | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #testing = $state(false);
  #models = $state.raw<readonly ModelListing[]>([]);
  /** Which server offers them. */
  #modelsOf = $state('');
  #listedFor = '';
  /** What the last test was of: a changed field makes its outcome worthless. */
  #testedFor = $state('');
  /** What the profile says, as it is saved. */
  readonly #saved: string;

  readonly repaired = $derived(repairBaseUrl(this.baseUrl));
  readonly more: ReadSettings = $derived(readSettings(this.typed));
  readonly preset: EndpointPreset | null = $derived.by(() => {
    const { repaired } = this;
    return ENDPOINT_PRESETS.find(({ baseUrl }) => repaired.ok && baseUrl === repaired.value.url) ?? null;
  });

  constructor(row: EndpointRow | null = null) {
    this.id = row?.id ?? null;
    this.row = row;
    this.hasKey = row !== null && row.key !== 'none';
    if (row) {
      this.name = row.name;
      this.baseUrl = row.baseUrl;
      this.model = row.model;
      this.keepKey = row.key === 'session' ? 'session' : 'stored';
      this.typed = typedSettings(settingsOf(row));
    }
    this.#saved = this.#fingerprint();
  }

  get key(): string {
    return this.#key ?? '';
  }

  set key(key: string) {
    this.#key = key === '' && this.hasKey ? undefined : key;
  }

  /** True when the kept key goes away at the next save. */
  get removesKey(): boolean {
    return this.hasKey && this.#key === '';
  }

  /** The kept key was given for another address: it stays behind unless it is typed again. */
  get leavesKey(): boolean {
    return this.hasKey && this.#key === undefined && !this.#isForKeptKey();
  }

  removeKey(): void {
    this.#key = '';
  }

  /** False while something that is typed cannot be saved. */
  get isInOrder(): boolean {
    return this.repaired.ok && Object.keys(this.more.problems).length === 0;
  }

  /** Fills in what servers of a kind have in common; a model that the person typed stays. */
  usePreset(preset: EndpointPreset): void {
    this.baseUrl = preset.baseUrl;
    const model = this.model.trim();
    if (model === '' || ENDPOINT_PRESETS.some((each) => each.model === model)) this.model = preset.model;
  }

  get state(): EndpointState {
    if (this.#testing) return 'testing';
    if (this.#testedFor !== this.#fingerprint()) return 'untested';
    return this.#failure?.code ?? this.#report?.state ?? 'untested';
  }

  /** What an earlier test of the profile came to; null once another test or a changed field says more. */
  get lastCheck(): EndpointCheck | null {
    return this.state === 'untested' && this.#saved === this.#fingerprint() ? (this.row?.lastCheck ?? null) : null;
  }

  get report(): DoctorReport | null {
    return this.state === 'untested' ? null : this.#report;
  }

  /** Why the last test failed. */
  get failure(): Failure | null {
    return this.state === 'untested' || this.#testing ? null : (this.#failure ?? this.#report?.failure ?? null);
  }

  /** In the order they are looked at; empty before a test. */
  get probes(): readonly ProbeReport[] {
    return this.state === 'untested' ? [] : this.#probes;
  }

  get models(): readonly ModelListing[] {
    return this.#modelsOf === this.#server() ? this.#models : [];
  }

  draft(): EndpointDraft {
    const name = this.name.trim();
    return {
      id: this.id,
      name: name === '' ? this.#nameByAddress() : name,
      baseUrl: this.baseUrl,
      model: this.model.trim(),
      keepKey: this.keepKey,
      settings: this.more.settings,
      ...(this.#key === undefined ? {} : { key: this.#key.trim() }),
    };
  }

  /** Runs the doctor; `probes` fill in as it goes. */
  async test(): Promise<void> {
    if (this.#testing) return;
    const testedFor = this.#fingerprint();
    const server = this.#server();
    this.#testing = true;
    this.#probes = [];
    this.#report = null;
    this.#failure = null;
    const draft = this.draft();
    const result = await agent.ask(async (api) =>
      ok(await api.testEndpoint(draft, (probe) => (this.#probes = withProbe(this.#probes, probe)))),
    );
    this.#testing = false;
    this.#testedFor = testedFor;
    if (!result.ok) {
      this.#failure = result.failure;
      return;
    }
    this.#report = result.value;
    this.#probes = result.value.probes;
    if (result.value.models.length > 0) this.#offer(server, result.value.models);
  }

  /** Asks the server once for the names of its models; what fails is told by the test, not here. */
  async listModels(): Promise<void> {
    const listedFor = this.#server();
    if (!this.repaired.ok || this.#listedFor === listedFor) return;
    this.#listedFor = listedFor;
    const draft = this.draft();
    const listed = await agent.ask((api) => api.listModels(draft));
    if (listed.ok) this.#offer(listedFor, listed.value);
    else this.#listedFor = '';
  }

  async save(): Promise<Result<EndpointId>> {
    const draft = this.draft();
    const { leavesKey } = this;
    const saved = await agent.ask((api) => api.saveEndpoint(draft));
    if (saved.ok && (draft.key !== undefined || leavesKey)) {
      // A key that is stored, or removed, is no longer this tab's to remember.
      keepSessionKey(saved.value, draft.keepKey === 'session' ? (draft.key ?? '') : '');
    }
    return saved;
  }

  #offer(server: string, models: readonly ModelListing[]): void {
    this.#modelsOf = server;
    this.#models = models;
  }

  #server(): string {
    return [this.baseUrl, this.key, JSON.stringify(this.more.settings.headers)].join('\n');
  }

  #fingerprint(): string {
    return [this.baseUrl, this.model, this.#key ?? '\u0000', JSON.stringify(this.more.settings)].join('\n');
  }

  #isForKeptKey(): boolean {
    return this.row === null || !this.repaired.ok || keyMayGoTo(this.row, this.repaired.value.url);
  }

  #nameByAddress(): string {
    return this.repaired.ok ? new URL(this.repaired.value.url).host : this.baseUrl;
  }
}

function withProbe(probes: readonly ProbeReport[], probe: ProbeReport): readonly ProbeReport[] {
  return [...probes.filter((known) => known.probe !== probe.probe), probe];
}
