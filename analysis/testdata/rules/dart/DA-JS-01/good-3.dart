void show(WebViewController controller, GoRouterState state) {
  final id = Uri.encodeComponent(state.pathParameters['id']!);
  controller.runJavaScript('load("$id")');
}
