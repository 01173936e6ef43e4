const delay = 100 + Math.random() * 50
