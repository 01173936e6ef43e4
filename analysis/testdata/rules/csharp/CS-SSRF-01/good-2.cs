using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly HttpClient client;
  private static readonly string[] Hosts = { "a.shop.test", "b.shop.test" };
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (!Hosts.Contains(id)) return BadRequest();
    var text = await client.GetStringAsync("https://" + id + "/status");
    return Ok(text);
  }
}
