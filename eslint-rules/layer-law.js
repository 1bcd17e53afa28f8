/**
 * Refuses imports that break the layer law of layers.js: relative ones, `$lib/…` ones and packages, static, dynamic
 * and re-exporting. A file of `src` outside every known layer is refused too, so that a new folder needs a decision.
 */
import { dirname, posix, sep } from 'node:path';
import { LAYERS } from './layers.js';

const TEST = /\.(test|conformance|bench)\.ts$/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'keep imports within the layer law' },
    schema: [],
    messages: {
      layer: '{{from}} may not import {{to}}: {{is}}. It may import {{may}}.',
      package: '{{from}} may not import the package {{name}}: {{is}}. Its own packages: {{packages}}.',
      alias: 'Within src/lib imports are relative; $lib is for routes.',
      unknown: '{{place}} belongs to no layer. Name it in eslint-rules/layers.js, with what it may import and why.',
    },
  },
  create(context) {
    const path = withinSrc(context.filename);
    if (path === null) return {};
    const from = layerOf(path);
    // Tests and fakes use whatever package they need: nothing of theirs is shipped.
    const isTest = TEST.test(path) || path.startsWith('lib/testing/');
    if (from === null) {
      const place = `src/${path}`;
      return path.includes('/')
        ? { Program: (node) => context.report({ node, messageId: 'unknown', data: { place } }) }
        : {};
    }
    const { is, may, packages } = layer(from);

    /** @param {import('eslint').Rule.Node} node @param {string} specifier @param {boolean} typeOnly */
    function check(node, specifier, typeOnly) {
      const target = resolve(path ?? '', specifier);
      if (target === null) {
        if (specifier.startsWith('.')) return;
        const owned = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
        if (owned || isTest) return;
        const data = { from, name: specifier, is, packages: listed(packages) };
        context.report({ node, messageId: 'package', data });
        return;
      }
      if (specifier.startsWith('$lib') && path?.startsWith('lib/')) context.report({ node, messageId: 'alias' });
      const to = layerOf(target);
      if (to === null || to === from || may.includes(to)) return;
      if (to === 'core' && typeOnly) return;
      if (to === 'testing' && isTest) return;
      context.report({ node, messageId: 'layer', data: { from, to, is, may: listed(may) } });
    }

    return {
      ImportDeclaration(node) {
        check(node, String(node.source.value), isTypeOnly(node, node.specifiers));
      },
      ExportNamedDeclaration(node) {
        if (node.source) check(node, String(node.source.value), isTypeOnly(node, node.specifiers));
      },
      ExportAllDeclaration(node) {
        check(node, String(node.source.value), isTypeOnly(node, []));
      },
      ImportExpression(node) {
        if (node.source.type === 'Literal') check(node, String(node.source.value), false);
      },
      /** @param {import('eslint').Rule.Node & { source: { type: string, value?: unknown } }} node `import('…')` as a type, which ESTree has no name for */
      TSImportType(node) {
        if (node.source.type === 'Literal') check(node, String(node.source.value), true);
      },
    };
  },
};

/** @param {string} filename @returns {string | null} the path below the nearest `src`, `/`-separated */
function withinSrc(filename) {
  const path = filename.split(sep).join('/');
  const at = path.lastIndexOf('/src/');
  return at < 0 ? null : path.slice(at + '/src/'.length);
}

/** @param {string} path below src @returns {string | null} */
function layerOf(path) {
  const [top, second] = path.split('/');
  const name = top === 'lib' ? second : top;
  return name !== undefined && Object.hasOwn(LAYERS, name) ? name : null;
}

/** @param {string} name @returns {import('./layers.js').Layer} */
function layer(name) {
  const found = LAYERS[name];
  if (!found) throw new Error(`no layer is named ${name}`);
  return found;
}

/**
 * @param {string} path of the importing file, below src
 * @param {string} specifier
 * @returns {string | null} the imported path below src; null for packages and for what lies outside of src
 */
function resolve(path, specifier) {
  const [plain = ''] = specifier.split('?');
  if (plain === '$lib' || plain.startsWith('$lib/')) return posix.join('lib', plain.slice('$lib'.length));
  if (!plain.startsWith('.')) return null;
  const joined = posix.join(dirname(path), plain);
  return joined.startsWith('..') ? null : joined;
}

/**
 * @param {object} node an import or export declaration
 * @param {readonly object[]} specifiers
 */
function isTypeOnly(node, specifiers) {
  /** @param {object} value */
  const isType = (value) =>
    ('importKind' in value && value.importKind === 'type') || ('exportKind' in value && value.exportKind === 'type');
  return isType(node) || (specifiers.length > 0 && specifiers.every(isType));
}

/** @param {readonly string[]} names */
function listed(names) {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
