import 'dart:convert';

void show(WebViewController controller, GoRouterState state) {
  final count = int.parse(state.pathParameters['count']!);
  controller.runJavaScript('show($count)');
}
