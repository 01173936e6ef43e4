import express from 'express'

const PAGES = ['/orders', '/account']
const allowedPage = (page) => PAGES.find((each) => each === page) ?? '/'

express().get('/go', (req, res) => res.redirect(allowedPage(req.query.page)))
