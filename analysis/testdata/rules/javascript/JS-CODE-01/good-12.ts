const root = new Function('return this')()
