import type { Counts } from './counts';
import type { EndpointId } from './ids';

/** What a person is told of a task in a file before it is taken in. */
export interface ExportSummary {
  readonly name: string;
  readonly counts: Counts;
  readonly endpointId: EndpointId;
  /** What the task was asking; null for what needs no model, and where nobody knows. */
  readonly model: string | null;
}
