const TEXT = 'aaa'
console.log(/^(a+)+$/.test(TEXT))
