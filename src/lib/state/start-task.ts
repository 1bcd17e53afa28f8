import type { EndpointDraft, FolderSource } from '../bridge/agent-api';
import type { EndpointId, TaskId } from '../core/ids';
import type { Result } from '../core/result';
import type { BatchOptions } from '../core/task';
import { askToPersist, isPersisted } from '../platform/persistence';
import { agent } from './agent.svelte';
import { keepSessionKey } from './session-keys';

export interface TaskDraft {
  readonly name: string;
  readonly source: FolderSource;
  readonly options: BatchOptions;
  /** A profile, or the fields of one that is saved first. */
  readonly endpoint: EndpointId | EndpointDraft;
  /** Called as soon as the new profile is saved, so that a second try does not save it twice. */
  readonly onEndpointSaved?: (id: EndpointId) => void;
}

/** Saves a new profile, makes the task and asks the browser to keep what will be stored. */
export async function startTask(draft: TaskDraft): Promise<Result<TaskId>> {
  const endpoint = await savedEndpoint(draft.endpoint);
  if (!endpoint.ok) return endpoint;
  draft.onEndpointSaved?.(endpoint.value);
  const { name, source, options } = draft;
  const made = await agent.ask((api) => api.createTask({ name, source, options, endpointId: endpoint.value }));
  if (made.ok && (await isPersisted()) === false) void askToPersist();
  return made;
}

async function savedEndpoint(endpoint: EndpointId | EndpointDraft): Promise<Result<EndpointId>> {
  if (typeof endpoint === 'string') return { ok: true, value: endpoint };
  const saved = await agent.ask((api) => api.saveEndpoint(endpoint));
  if (saved.ok && endpoint.keepKey === 'session' && endpoint.key) keepSessionKey(saved.value, endpoint.key);
  return saved;
}
