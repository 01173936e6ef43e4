Widget build(BuildContext context, GoRouterState state) {
  final id = state.pathParameters['id'];
  controller.evaluateJavascript(source: 'load("$id")'); // ← here
  return WebViewWidget(controller: controller);
}
