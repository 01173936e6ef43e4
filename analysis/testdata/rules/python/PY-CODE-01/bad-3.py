def lambda_handler(event, context):
    return eval(event['body'], {'__builtins__': {}})  # ← here
