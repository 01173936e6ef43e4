class ItemsController < ApplicationController
  def show
    return head(:bad_request) unless params[:name].match?(/\A[a-z]+\z/)

    File.read("pages/#{params[:name]}.md")
  end
end
