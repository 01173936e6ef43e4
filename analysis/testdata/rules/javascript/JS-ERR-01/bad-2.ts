app.get('/x', async (req, res) => {
  try { await work() } catch (error) { res.status(500).json({ error: error.message, stack: error.stack }) } // ← here
})
