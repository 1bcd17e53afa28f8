import type { AgentApi, FolderSource } from '../lib/bridge/agent-api';
import type { FolderRow } from '../lib/core/folder';
import { folderId } from '../lib/core/ids';
import type { CheckpointStore, Clock, Locks } from '../lib/core/ports';
import { failure } from '../lib/core/failure';
import { fail, isAbort, ok, type Result } from '../lib/core/result';
import { createFileFilter } from '../lib/folders/file-filter';
import { previewFolder } from '../lib/folders/preview';
import { deleteSnapshot, keepSnapshot } from '../lib/folders/snapshot';
import type { SurveyedFolderOpener } from '../lib/folders/survey';
import { mayBeReadable } from '../lib/extract/formats';
import { compareWithTask } from './folder-comparison';
import { COPYING } from './half-copies';

interface FolderCommandsOptions {
  readonly store: CheckpointStore;
  readonly clock: Clock;
  readonly locks: Locks;
  readonly folders: SurveyedFolderOpener;
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
}

type FolderCommands = Pick<
  AgentApi,
  'previewFolder' | 'compareFolder' | 'stopPreview' | 'keepSnapshot' | 'stopSnapshot'
>;

/** Looking into folders, and keeping copies of those that no handle leads back to. One of each at a time. */
export function folderCommands(options: FolderCommandsOptions): FolderCommands {
  let previewing = new AbortController();
  let comparing = new AbortController();
  let copying = new AbortController();
  return {
    async previewFolder(source, patterns, onProgress) {
      previewing.abort();
      previewing = new AbortController();
      const { signal } = previewing;
      const row = await sourceRow(options, source);
      if (!row.ok) return row;
      const folder = await options.folders.open(row.value);
      if (!folder.ok) return folder;
      const filter = createFileFilter(patterns);
      return previewFolder({ folder: folder.value, filter, readable: mayBeReadable, onProgress, signal });
    },
    async compareFolder(source, id) {
      comparing.abort();
      comparing = new AbortController();
      const { signal } = comparing;
      const task = await options.store.task(id);
      if (!task.ok) return task;
      if (task.value === null) return fail(failure('task_missing'));
      const row = await sourceRow(options, source);
      if (!row.ok) return row;
      const folder = await options.folders.open(row.value);
      if (!folder.ok) return folder;
      const filter = createFileFilter(task.value.options);
      const isOffered = (path: string) => filter.verdict(path) === null;
      try {
        return await compareWithTask({ store: options.store, folder: folder.value, isOffered, taskId: id, signal });
      } catch (error) {
        // Nobody waits for it any more.
        if (isAbort(error)) return fail(failure('task_missing', { message: 'stopped' }));
        throw error;
      }
    },
    stopPreview() {
      previewing.abort();
      comparing.abort();
      return Promise.resolve();
    },
    async keepSnapshot(name, files, onProgress) {
      copying.abort();
      copying = new AbortController();
      const id = folderId(crypto.randomUUID());
      const nowMs = options.clock.now();
      const opfs = await options.opfsRoot();
      const { signal } = copying;
      try {
        return await options.locks.hold(COPYING, signal, async () => {
          const kept = await keepSnapshot({ opfs, id, name, files, onProgress, signal });
          if (!kept.ok) return kept;
          const row: FolderRow = {
            v: 1,
            id,
            kind: 'snapshot',
            name,
            handle: null,
            createdMs: nowMs,
            lastUsedMs: nowMs,
          };
          const put = await options.store.putFolder(row);
          if (!put.ok) await deleteSnapshot(opfs, id);
          return put.ok ? ok(id) : put;
        });
      } catch (error) {
        // A stopped copy leaves nothing behind; the page knows that it stopped it.
        if (isAbort(error)) return fail(failure('folder_missing', { message: 'stopped' }));
        throw error;
      }
    },
    stopSnapshot() {
      copying.abort();
      return Promise.resolve();
    },
  };
}

async function sourceRow({ store, clock }: FolderCommandsOptions, source: FolderSource): Promise<Result<FolderRow>> {
  const base = { v: 1, createdMs: clock.now(), lastUsedMs: clock.now() } as const;
  switch (source.kind) {
    case 'handle':
      return ok({ ...base, id: folderId('preview'), kind: 'handle', name: source.handle.name, handle: source.handle });
    case 'sample':
      return ok({ ...base, id: folderId('sample'), kind: 'sample', name: 'sample', handle: null });
    case 'snapshot': {
      const row = await store.folder(source.id);
      if (!row.ok) return row;
      return row.value ? ok(row.value) : fail(failure('folder_missing'));
    }
  }
}
