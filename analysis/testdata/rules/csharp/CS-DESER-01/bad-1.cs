using System.Runtime.Serialization.Formatters.Binary;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var formatter = new BinaryFormatter();
    var order = formatter.Deserialize(Request.Body); // ← here
    return Ok(order);
  }
}
