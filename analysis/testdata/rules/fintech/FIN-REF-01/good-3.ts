const reference = 'figure ' + Math.random()
