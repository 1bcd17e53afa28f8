import type { EndpointRow } from '../../core/endpoint';
import type { TaskRow } from '../../core/task';

/** Value of the choice that makes a profile of the fields in place. */
export const NEW_ENDPOINT = 'new';

/** The profile used last, else the first there is, else a new one to fill in. `tasks` are newest first. */
export function usualEndpoint(
  profiles: readonly Pick<EndpointRow, 'id'>[],
  tasks: readonly Pick<TaskRow, 'endpointId'>[],
): string {
  const known = new Set(profiles.map(({ id }) => id));
  return tasks.find(({ endpointId }) => known.has(endpointId))?.endpointId ?? profiles[0]?.id ?? NEW_ENDPOINT;
}
