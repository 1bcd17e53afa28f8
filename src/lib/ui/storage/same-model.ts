import type { EndpointRow } from '../../core/endpoint';
import { BUILT_IN, type EndpointId } from '../../core/ids';

interface Asked {
  readonly endpointId: EndpointId;
  readonly model: string | null;
}

type Profile = Pick<EndpointRow, 'id' | 'model'>;

/** Whether what a task asks stays what it was; nobody knows where the model is not known. */
export function isSameModel({ endpointId, model }: Asked, chosen: EndpointId, profiles: readonly Profile[]): boolean {
  if (chosen === BUILT_IN || endpointId === BUILT_IN) return chosen === endpointId;
  return model !== null && profiles.some((profile) => profile.id === chosen && profile.model === model);
}

/** The task's own endpoint where it is known, or the newest that has the same model; null where there is none. */
export function endpointOfSameModel(asked: Asked, profiles: readonly Profile[]): EndpointId | null {
  const same = [BUILT_IN, ...profiles.map(({ id }) => id)].filter((id) => isSameModel(asked, id, profiles));
  return same.find((id) => id === asked.endpointId) ?? same.at(-1) ?? null;
}
