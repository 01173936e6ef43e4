using System.Net;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var request = WebRequest.Create(id); // ← here
    return Ok(request.GetResponse());
  }
}
