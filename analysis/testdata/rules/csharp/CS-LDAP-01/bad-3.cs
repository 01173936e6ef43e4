var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id, LdapConnection connection) =>
{
  var request = new SearchRequest("dc=shop", $"(mail={id})", SearchScope.Subtree); // ← here
  return Results.Ok(connection.SendRequest(request));
});

app.Run();
