using System.Text.Json;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var order = await JsonSerializer.DeserializeAsync<Order>(Request.Body);
    return Ok(order);
  }
}
