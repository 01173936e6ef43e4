app.use((err, req, res, next) => res.json({ stack: isProduction ? undefined : err.stack }))
