/**
 * What a server that counts is asked to count, to know how its model's tokens compare with the estimate before it has
 * answered anything: prose in two scripts, a table and some code, as folders hold them.
 */
export const COUNTED_SAMPLE = `The committee met on Thursday to go through the measurements of the past quarter. Two of the
stations had reported values well outside of the expected range, and nobody could say whether the instruments or the
weather were to blame. It was agreed that both would be checked before the end of the month, that the earlier readings
would be kept as they are, and that a short note about the gap should go into the annual report.

委员会周四开会，讨论了上一季度的测量结果。有两个站点的数值明显超出预期范围，没有人能够确定原因是仪器故障还是天气变化。会议决定在月底之前完成检查，保留原有读数，并在年度报告中说明这一缺口。

| station | value | unit | checked    |
| ------- | ----- | ---- | ---------- |
| A-17    | 48.25 | mg/l | 2024-03-14 |
| B-02    | 7.9   | mg/l | 2024-03-15 |

function meanOf(values) {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.length === 0 ? null : total / values.length;
}
`;
