import type { FolderSource } from '../bridge/agent-api';
import type { EndpointId, TaskId } from '../core/ids';
import { ok, type Result } from '../core/result';
import type { BatchOptions } from '../core/task';
import { askToPersist, isPersisted } from '../platform/persistence';
import { agent } from './agent.svelte';
import type { EndpointForm } from './endpoint-form.svelte';

export interface TaskDraft {
  readonly name: string;
  readonly source: FolderSource;
  readonly options: BatchOptions;
  /** A profile, or the fields of one that is saved first. */
  readonly endpoint: EndpointId | EndpointForm;
  /** Called as soon as a new profile is saved, so that a second try does not save it twice. */
  readonly onEndpointSaved: (id: EndpointId) => void;
}

/** Saves a new profile, makes the task and asks the browser to keep what will be stored. */
export async function startTask(draft: TaskDraft): Promise<Result<TaskId>> {
  const { name, source, options, endpoint, onEndpointSaved } = draft;
  const saved = typeof endpoint === 'string' ? ok(endpoint) : await endpoint.save();
  if (!saved.ok) return saved;
  if (typeof endpoint !== 'string') onEndpointSaved(saved.value);
  const made = await agent.ask((api) => api.createTask({ name, source, options, endpointId: saved.value }));
  if (made.ok && (await isPersisted()) === false) void askToPersist();
  return made;
}
