// The pattern has no flag `g`.
exports.attribute = (value) => 'title="' + value.replace(/"/, '&quot;') + '"' // ← here
