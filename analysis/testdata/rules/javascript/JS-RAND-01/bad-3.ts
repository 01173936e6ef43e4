const user = {}
user.resetToken = 'r' + Math.random() // ← here
