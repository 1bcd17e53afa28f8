import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { HandleFolder } from './folder-handle';
import { SampleFolder } from './folder-sample';
import { SnapshotFolder } from './folder-snapshot';
import type { SurveyedFolderOpener } from './survey';

export interface FolderSources {
  /** Where the sample folder lies, ending with `/`. */
  readonly sampleBaseUrl: string;
  /** The origin's private file system. */
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
  /** @default the global one */
  readonly fetch?: (url: string) => Promise<Response>;
}

/** Opens by kind, without looking: `access` tells whether the folder can be reached. */
export function createFolderOpener(sources: FolderSources): SurveyedFolderOpener {
  const { sampleBaseUrl, opfsRoot, fetch: fetched = (url: string) => fetch(url) } = sources;
  const sample = new SampleFolder({ baseUrl: sampleBaseUrl, fetch: fetched });
  return {
    async open({ kind, id, name, handle }) {
      switch (kind) {
        case 'handle':
          // A task that came from a file has none yet; a browser that lost its database may have lost it.
          return handle
            ? ok(new HandleFolder(handle))
            : fail(failure('folder_not_given', { details: { folder: name } }));
        case 'snapshot':
          return ok(new SnapshotFolder({ id, name, opfsRoot }));
        case 'sample':
          return ok(sample);
        default:
          return kind satisfies never;
      }
    },
  };
}
