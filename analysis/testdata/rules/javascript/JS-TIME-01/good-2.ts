if (process.env.NODE_ENV === 'production') start()
