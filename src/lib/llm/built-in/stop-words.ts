const ENGLISH = `
a about above after again against all also although am an and any are as at be because been before being below between both but by
can could did do does doing done down during each either else even ever every few for from further get gets got had has have having he
her here hers herself him himself his how however i if in into is it its itself just let like made make makes many may me might more
most much must my myself near need neither no nor not now of off often on once one only onto or other others our ours ourselves out over
own per quite rather said same say says see several shall she should since so some still such than that the their theirs them themselves
then there therefore these they this those though through thus to too toward two under until up upon us use used uses using very via was
we well were what when where whether which while who whom whose why will with within without would yet you your yours yourself
mr mrs ms dr etc eg ie vs re new first last three
january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
`;

const CHINESE = `
我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 这里 那里 这种 那种 这是 那是 什么 怎么 怎样 如何 为什么 哪些 哪个 多少 几个
一个 一种 一些 一样 一下 一直 一定 一般 一起 一方面 有些 有的 有关 没有 不是 不会 不能 不要 不同 不过 不仅 不但 不管 不论 可以 可能 能够 应该 应当 需要
必须 就是 还是 也是 都是 只是 但是 可是 而是 于是 而且 并且 或者 以及 以及其 因为 所以 因此 由于 如果 虽然 尽管 即使 除了 除非 只有 只要 无论 关于 对于
根据 按照 通过 随着 为了 作为 其中 其他 其它 之间 之后 之前 以后 以前 以上 以下 以来 以内 之一 当时 现在 目前 已经 正在 将会 曾经 还有 还会 仍然 非常 十分
比较 更加 特别 尤其 大家 进行 表示 认为 指出 出现 使用 包括 具有 成为 得到 同时 然后 然而 此外 另外 例如 比如 等等 来说 而言 方面 情况 问题 时候 今天 本次
上述 如下 各位 是否 由此 从而 或是 与其 及其 便是 似乎 几乎 所有 任何 每个 许多 很多 大量 部分 整个 第一 第二 第三 今年 去年 明年 万元 亿元
`;

/** Words that say nothing of what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.trim().split(/\s+/));
