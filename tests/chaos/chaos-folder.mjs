/** A task's folder, changed under it as people do. */
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileText } from './questions.mjs';

export class ChaosFolder {
  /** @type {string} absolute path */
  path;
  /** @type {string} */
  name;
  #version = 0;
  #isAway = false;
  /** @type {Set<string>} every path that was there at some time */
  everSeen = new Set();
  /** Changed since it was made. */
  isChanged = false;

  /** @param {string} root @param {string} name also the task's */
  constructor(root, name) {
    this.name = name;
    this.path = join(root, name);
  }

  /** @param {string} root @param {string} name @param {number} files */
  static make(root, name, files) {
    const folder = new ChaosFolder(root, name);
    mkdirSync(folder.path, { recursive: true });
    for (let index = 0; index < files; index += 1) folder.#write(`note-${String(index).padStart(4, '0')}.txt`);
    return folder;
  }

  /** The files as they are now, without what was written about them. @param {string} root */
  copyTo(root) {
    const copy = new ChaosFolder(root, this.name);
    mkdirSync(copy.path, { recursive: true });
    for (const file of this.files()) {
      cpSync(join(this.path, file), join(copy.path, file));
      copy.everSeen.add(file);
    }
    return copy;
  }

  /** @returns {string[]} none while it is away */
  files() {
    if (this.#isAway) return [];
    return readdirSync(this.path)
      .filter((file) => file.endsWith('.txt'))
      .sort();
  }

  /** @param {number} draw @param {number} count */
  edit(draw, count) {
    return this.#change(draw, count, (file) => this.#write(file));
  }

  /** @param {number} draw @param {number} count */
  add(draw, count) {
    return this.#change(draw, count, () => this.#write(`added-${this.#version}.txt`));
  }

  /** @param {number} draw @param {number} count */
  remove(draw, count) {
    return this.#change(draw, count, (file) => rmSync(join(this.path, file)));
  }

  /** @param {number} draw @param {number} count */
  rename(draw, count) {
    return this.#change(draw, count, (file) => {
      this.#version += 1;
      const name = `renamed-${this.#version}.txt`;
      renameSync(join(this.path, file), join(this.path, name));
      this.everSeen.add(name);
    });
  }

  /** @returns {boolean} false when it is away already */
  takeAway() {
    if (this.#isAway) return false;
    renameSync(this.path, `${this.path}.away`);
    this.#isAway = true;
    return true;
  }

  bringBack() {
    renameSync(`${this.path}.away`, this.path);
    this.#isAway = false;
  }

  /** @param {number} draw @param {number} count @param {(file: string) => void} how @returns {boolean} false when it is away */
  #change(draw, count, how) {
    const files = this.files();
    if (files.length <= count) return false;
    this.isChanged = true;
    const first = Math.floor(draw * (files.length - count));
    for (const file of files.slice(first, first + count)) how(file);
    return true;
  }

  /** @param {string} file */
  #write(file) {
    this.#version += 1;
    this.everSeen.add(file);
    writeFileSync(join(this.path, file), fileText(this.name, file, this.#version));
  }
}
