from flask import request
@app.route('/payment/done')
def done():
    if request.args.get('status') == 'success':  # ← here
        order = Order.query.get(request.args['order'])
        order.update(paid=True)
    return 'ok'
