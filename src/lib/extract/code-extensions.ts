/** Sources, scripts, configuration and markup that are read as they are written. */
export const CODE_EXTENSIONS: readonly string[] = `
  ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyw java kt kts scala groovy gradle clj cljs cljc
  c h cc cpp cxx hh hpp hxx ino m mm cs fs fsx vb go rs zig nim d swift dart rb erb php phtml pl pm t lua r jl
  ex exs erl hrl hs lhs elm ml mli lisp el scm rkt f f90 f95 for pas asm s v sv vhd vhdl sol move cu cl glsl vert frag hlsl wgsl metal
  sh bash zsh fish ksh csh bat cmd ps1 psm1 awk sed tcl make mk cmake dockerfile
  sql graphql gql proto thrift prisma
  yaml yml toml ini cfg conf config properties env editorconfig plist lock
  css scss sass less styl tex bib sty rst org adoc asciidoc textile wiki pod rdoc
  diff patch tf tfvars hcl nix bazel bzl cabal gemspec podspec po pot
`
  .trim()
  .split(/\s+/);
