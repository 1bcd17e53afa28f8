const STRONG_CONCLUSION =
  /^\W*(?:conclusions?|decisions?|decided|recommendations?|resolved|outcome|result|结论|最终结论|决定|决议|建议|审批意见|结果)\s*[:：]/iu;
const CONCLUSION =
  /\b(?:conclud\w*|in conclusion|decid\w*|decision|recommend\w*|therefore|consequently|approv\w*|reject\w*|agreed (?:to|that|on)|resolved (?:to|that)|should|must)\b|结论|建议|决定|决议|批准|否决|同意|应当|应该|必须|因此|综上|总之|最终/iu;
const TROUBLE =
  /\b(?:error|fatal|critical|exception|failed|failure|panic|timed? ?out|refused)\b|错误|异常|失败|超时|崩溃|故障/iu;

/** 2 for a sentence announced as a conclusion, 1 for one that concludes, decides, recommends or demands, else 0. */
export function conclusionCue(sentence: string): 0 | 1 | 2 {
  if (STRONG_CONCLUSION.test(sentence)) return 2;
  return CONCLUSION.test(sentence) ? 1 : 0;
}

export function tellsTrouble(sentence: string): boolean {
  return TROUBLE.test(sentence);
}
